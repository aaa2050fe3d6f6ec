// The dialog before every change: it says what will happen, and asks for a reason.
import { html, useEffect, useRef, useState } from './vendor/htm-preact.js';
import { act } from './session.js';
import { notice, observable, useObservable } from './state.js';
import { useTick } from './time.js';

const dialog = observable(null);

/**
 * Asks before an action.
 *
 * @param spec {title, effect, confirm, danger, body, choice, warning, done}: `body` is the action without its reason;
 *     `choice` {label, field, options} asks for one more field; `warning()` returns a text if the facts have changed
 *     since the dialog was opened; `done` is the text for a success
 */
export function ask(spec) {
  dialog.set({ ...spec, number: Date.now() });
}

/** The place of the dialog in the page. */
export function Dialogs() {
  const spec = useObservable(dialog);
  return spec && html`<${ReasonDialog} key=${spec.number} spec=${spec} />`;
}

/** The focus returns to the button that opened the dialog, or to the heading if the button is gone. */
function returnFocus(opener) {
  const target = opener?.isConnected && !opener.disabled ? opener : document.querySelector('h1');
  target?.focus();
}

function ReasonDialog({ spec }) {
  const element = useRef(null);
  const [reason, setReason] = useState('');
  const [choice, setChoice] = useState('');
  const [failure, setFailure] = useState(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    const opener = document.activeElement;
    element.current.showModal();
    return () => returnFocus(opener);
  }, []);

  async function send(event) {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      const extra = spec.choice ? { [spec.choice.field]: choice } : {};
      const { result, detail } = await act({ ...spec.body, ...extra, reason: reason.trim() });
      const text = result === 'changed' ? spec.done : (detail || 'Nothing changed.');
      notice.set({ text, failed: result === 'held' });
      element.current.close();
    } catch (problem) {
      setFailure(problem.status ? problem.message : 'The server did not answer. The change may have been made.');
      setBusy(false);
    }
  }

  const close = () => element.current.close();
  return html`
    <dialog ref=${element} aria-labelledby="dialog-title" onClose=${() => dialog.set(null)}
        onClick=${(event) => event.target === element.current && close()}>
      <form class="dialog" onSubmit=${send}>
        <h2 id="dialog-title">${spec.title}</h2>
        <p class="effect">${spec.effect}</p>
        <${Warning} check=${spec.warning} />
        ${spec.choice && html`
          <label class="field">${spec.choice.label}
            <select required name="choice" value=${choice} onChange=${(event) => setChoice(event.target.value)}>
              <option value="" disabled>Choose one</option>
              ${spec.choice.options.map((option) => html`<option value=${option}>${option}</option>`)}
            </select>
          </label>`}
        <label class="field">Reason
          <input name="reason" required autofocus maxlength="500" autocomplete="off" value=${reason} aria-describedby="reason-help"
            pattern=".*\\S.*" onInput=${(event) => setReason(event.target.value)} />
        </label>
        <p class="note" id="reason-help">The reason is written to the audit log with your name, for example "ticket 4711: host is gone".</p>
        ${failure && html`<div class="message failed" role="alert">${failure}</div>`}
        <div class="dialog-buttons">
          <button type="button" onClick=${close}>Cancel</button>
          <button class=${spec.danger ? 'danger' : 'primary'} disabled=${busy}>${busy ? 'Sending …' : spec.confirm}</button>
        </div>
      </form>
    </dialog>`;
}

function Warning({ check }) {
  useTick();
  const text = check?.();
  return text && html`<div class="message warning" role="alert">${text}</div>`;
}
