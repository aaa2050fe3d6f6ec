// Contention: the keys with the longest lines, and the graph of holders that wait for others.
import { html } from './vendor/htm-preact.js';
import { useLive } from './live.js';
import { Command, Empty, Figure, Heading, KeyLink, Loading, Name, Panel, Table, Trouble } from './parts.js';
import { count, shortSpan } from './time.js';
import { WaitGraph } from './waitgraph.js';

export function Contention() {
  const live = useLive({ view: 'contention' });
  const { head } = live;
  const rows = live.list();
  return html`
    <${Heading} title="Contention" />
    ${!head ? html`<${Loading} live=${live} />` : html`
      <${Trouble} live=${live} />
      <dl class="figures">
        <${Figure} label="Waits" value=${count(head.waits.count)} note=${`last ${head.waits.minutes} minutes`} />
        <${Figure} label="p50 wait" value=${shortSpan(head.waits.p50)} />
        <${Figure} label="p99 wait" value=${shortSpan(head.waits.p99)} />
        <${Figure} label="Longest wait" value=${shortSpan(head.waits.longest)} />
      </dl>
      <p class="note">All of this page covers this server alone. Clients that wait at other servers of the same store are not visible here.</p>
      <${Lines} rows=${rows} />
      <${WaitGraph} graph=${head.graph} truncated=${head.truncated} />`}`;
}

const Lines = ({ rows }) => html`
  <${Panel} id="lines" title="Longest lines" note="Keys that clients wait for now, longest line first.">
    ${rows.length === 0 ? html`
      <${Empty} title="No client waits now">
        <p>A client waits if it asks for a key that another holds. Try it with two terminals:</p>
        <${Command}>holdfast run deploy --store ${location.origin} -- sleep 60<//>
      <//>` : html`
      <${Table} label="Keys with the longest lines">
        <thead><tr>
          <th scope="col">Key</th><th scope="col" class="wide">Holder</th><th scope="col" class="right">Line</th>
          <th scope="col" class="right">Longest wait</th><th scope="col" class="right wide">p50</th><th scope="col" class="right wide">p99</th>
          <th scope="col" class="wide">First in the line</th>
        </tr></thead>
        <tbody>${rows.map((row) => html`
          <tr key=${`${row.namespace}\0${row.name}`}>
            <td><${KeyLink} ...${row} />${row.holder && html`<span class="sub narrow">held by <${Name} text=${row.holder} /></span>`}</td>
            <td class="wide">${row.holder && html`<${Name} text=${row.holder} />`}</td>
            <td class="right num"><b>${count(row.line)}</b></td>
            <td class="right num">${shortSpan(row.longestWait)}</td>
            <td class="right num wide">${shortSpan(row.p50)}</td>
            <td class="right num wide">${shortSpan(row.p99)}</td>
            <td class="wide">${row.first.map((name, i) => html`${i > 0 && ', '}<${Name} text=${name} />`)}${row.line > row.first.length && ', …'}</td>
          </tr>`)}</tbody>
      <//>`}
  <//>`;
