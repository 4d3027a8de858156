import { AccountLink } from '../../chain/links.tsx';
import type { JSX } from 'preact';
import { Badge, Empty, formatInteger } from '../../kit/index.ts';
import { pastedAbi } from './pastedAbi.ts';
import type { WireLog } from './readTransaction.ts';
import { type Decoder, useDecoder } from './useDecoder.ts';
import { Values } from './Values.tsx';

const shownLogsMax = 200;

/** What contracts told while it ran. */
export function Logs({ logs }: { readonly logs: readonly WireLog[] }): JSX.Element {
  const decoder = useDecoder();
  if (logs.length === 0) return <Empty title="No contract told anything" />;
  return (
    <ol class="logs">
      {logs.slice(0, shownLogsMax).map((log) => (
        <Log key={log.logIndex} log={log} decoder={decoder} />
      ))}
      {logs.length > shownLogsMax && (
        <li class="faint">and {formatInteger(logs.length - shownLogsMax)} more, which Raw has</li>
      )}
    </ol>
  );
}

function Log({ log, decoder }: { readonly log: WireLog; readonly decoder: Decoder | null }): JSX.Element {
  const { address, topics, data, logIndex } = log;
  const decoded = decoder?.decodeLog(log, decoder.abisFor(address, pastedAbi.value?.abi ?? null)) ?? null;
  return (
    <li>
      <div class="row">
        <span class="faint number">{Number(logIndex)}</span>
        {decoded === null ? <Badge>not known</Badge> : <Badge tone="accent">{decoded.name}</Badge>}
        <AccountLink address={address} />
        {decoded !== null && <span class="faint">read as {decoded.source}</span>}
      </div>
      {decoded === null ? (
        <dl class="values">
          {topics.map((topic, index) => (
            <div key={index}>
              <dt>topic {index}</dt>
              <dd class="mono">{topic}</dd>
            </div>
          ))}
          <div>
            <dt>data</dt>
            <dd class="mono">{data.length > 1_026 ? `${data.slice(0, 1_026)}…` : data}</dd>
          </div>
        </dl>
      ) : (
        <Values values={decoded.values} />
      )}
    </li>
  );
}
