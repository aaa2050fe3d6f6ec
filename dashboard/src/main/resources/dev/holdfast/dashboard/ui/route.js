// The address of the page: #/screen?filter=value. It holds all filters, so that links can be shared and Back works.
import { observable } from './state.js';

const HOME = 'overview';

function parse() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { screen: path || HOME, params: Object.fromEntries(new URLSearchParams(query)) };
}

export const route = observable(parse());

/** The address of a screen. Empty parameters are left out. */
export function href(screen, params = {}) {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value)).toString();
  return `#/${screen}${query ? `?${query}` : ''}`;
}

/** Goes to a screen. With `replace`, Back skips the address that was left. */
export function go(screen, params, { replace = false, state = null } = {}) {
  const address = href(screen, params);
  if (address === location.hash) return;
  if (replace) history.replaceState(state ?? history.state, '', address);
  else history.pushState(state, '', address);
  moved();
}

/** The address of a key. */
export const keyHref = (namespace, name) => href('key', { namespace, name });

let address = location.hash;

/** Back fires both events, a link in some browsers only the second. */
function moved() {
  if (location.hash === address) return;
  address = location.hash;
  route.set(parse());
}
addEventListener('popstate', moved);
addEventListener('hashchange', moved);
