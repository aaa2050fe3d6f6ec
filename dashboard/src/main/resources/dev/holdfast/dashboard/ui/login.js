// The log-in with a bearer token.
import { html, useState } from './vendor/htm-preact.js';
import { logInWithToken } from './session.js';

export function Login({ facts }) {
  const [failure, setFailure] = useState(null);
  const [busy, setBusy] = useState(false);

  async function send(event) {
    event.preventDefault();
    const input = event.target.elements.token;
    setBusy(true);
    setFailure(null);
    try {
      await logInWithToken(input.value.trim());
    } catch (problem) {
      setFailure(text(problem));
      setBusy(false);
      input.select();
    }
  }

  return html`
    <main class="login" id="main">
      <form class="login-card" onSubmit=${send}>
        <img src="favicon.svg" width="40" height="40" alt="" />
        <h1>Log in to Holdfast</h1>
        ${facts.reason && html`<div class="message warning" role="status">${facts.reason}</div>`}
        <label class="field">Token
          <input name="token" type="password" required autofocus autocomplete="current-password" spellcheck=${false}
            aria-describedby="token-help" />
        </label>
        <p class="note" id="token-help">
          A token of the server's token file. It is sent once; this tab keeps only a session id.
          This creates a token for reading only: <code>holdfast token new NAME --read '*'</code>
        </p>
        ${failure && html`<div class="message failed" role="alert">${failure}</div>`}
        <button class="primary" disabled=${busy}>${busy ? 'Logging in …' : 'Log in'}</button>
      </form>
      <p class="note version">Holdfast ${facts.version}</p>
    </main>`;
}

function text(problem) {
  if (!problem.status) return 'The server does not answer. Is it running?';
  if (problem.status === 429) {
    return `Too many failed log-ins from this address. Try again in ${problem.retryAfterSeconds || 'a few'} seconds.`;
  }
  if (problem.status === 401) return 'The server does not know this token.';
  return problem.message;
}
