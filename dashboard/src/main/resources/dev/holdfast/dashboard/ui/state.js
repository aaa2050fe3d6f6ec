// Values that several parts of the page share.
import { useEffect, useReducer } from './vendor/htm-preact.js';

/** A value with listeners. */
export function observable(value) {
  const listeners = new Set();
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value, and a new render of the component whenever it changes. */
export function useObservable(source) {
  const [, redraw] = useReducer((n) => n + 1, 0);
  const shown = source.get();
  useEffect(() => {
    // An effect runs after the page is painted, and the value may have changed meanwhile.
    if (source.get() !== shown) redraw();
    return source.listen(redraw);
  }, [source]);
  return shown;
}

/** The theme that the viewer chose: '' follows the system. */
export const theme = observable(document.documentElement.dataset.theme ?? '');

export function chooseTheme(choice) {
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
  try {
    if (choice) localStorage.setItem('holdfast.theme', choice);
    else localStorage.removeItem('holdfast.theme');
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
  theme.set(choice);
}

/** Whether the page is dark now. */
export function isDark() {
  return theme.get() ? theme.get() === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/** The last result of an action: {text, failed}. It is shown above the screen and read out. */
export const notice = observable(null);

/** How the stream of the screen is doing: 'connecting', 'live', 'reconnecting' or 'paused'. */
export const connection = observable('connecting');
