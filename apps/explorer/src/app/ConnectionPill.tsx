import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatDuration, formatInteger } from '../kit/format.ts';
import { Button, Dialog, Field, submitting } from '../kit/inputs.tsx';
import type { Connection } from '../node/connection.ts';
import { parseRpcUrl } from '../node/rpcUrl.ts';
import { useExplorer } from './context.ts';

/** What the state of the connection is called. */
const connectionWord: Readonly<Record<Connection['kind'], string>> = {
  connecting: 'Connecting',
  live: 'Live',
  stale: 'No new blocks',
  unreachable: 'Node away',
  ended: 'Stopped',
};

/** The newest block and whether it is the present; opens what node is read. */
export function ConnectionPill(): JSX.Element {
  const { node } = useExplorer();
  const [isOpen, setOpen] = useState(false);
  const { kind } = node.connection.value;
  const head = node.chain.head.value;
  const word = connectionWord[kind];
  return (
    <>
      <button type="button" class={`pill ${kind}`} onClick={() => setOpen(true)} title={`${word}: ${node.url}`}>
        <span class="dot" aria-hidden="true" />
        {kind === 'live' && head !== null ? (
          <span class="number">
            <span class="unseen">Live, block </span>
            {formatInteger(head.number)}
          </span>
        ) : (
          word
        )}
      </button>
      <NodeDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

/** Which node is read, and another one in its place. */
function NodeDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): JSX.Element {
  const { node, choose } = useExplorer();
  const [text, setText] = useState(node.url);
  const url = parseRpcUrl(text.trim());
  const submit = (): void => {
    if (url === null) return;
    onClose();
    choose(url);
  };
  return (
    <Dialog title="Node that this page reads" isOpen={isOpen} onClose={onClose}>
      <form class="stack" onSubmit={submitting(submit)}>
        <Field
          label="JSON-RPC address"
          inputMode="url"
          value={text}
          onInput={setText}
          hint="A node of a Prime network. It is remembered in this browser."
          problem={url === null ? 'An address begins with http:// or https://.' : null}
        />
        <div class="row">
          <Button type="submit" tone="primary" disabled={url === null || url === node.url}>
            Read this node
          </Button>
          <Button
            onClick={() => {
              onClose();
              choose(null);
            }}
          >
            Use the default
          </Button>
          <Button tone="plain" onClick={onClose}>
            Close
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Says above the page what is wrong with the connection; nothing while all is well. */
export function ConnectionNotice(): JSX.Element | null {
  const { node, forbidden } = useExplorer();
  const connection = node.connection.value;
  const head = node.chain.head.value;
  const shown = head === null ? '' : ` What is shown is of block ${formatInteger(head.number)}.`;
  const { origin } = new URL(node.url);
  if (connection.kind !== 'live' && forbidden.value.has(origin))
    return (
      <p class="notice bad" role="status">
        These pages may not ask {origin}: whoever serves them did not name it.{' '}
        <code>prime explorer --rpc {node.url}</code> serves pages that may, and with <code>--any-node</code> they may
        ask every node.
      </p>
    );
  switch (connection.kind) {
    case 'live':
    case 'connecting':
      return null;
    case 'stale':
      return (
        <p class="notice warn" role="status">
          No block for {formatDuration(connection.silentMs)}.{shown}
        </p>
      );
    case 'unreachable':
      return (
        <p class="notice bad" role="status">
          {node.url} does not answer: it restarts, or is not reachable from here.{shown} Trying again by itself.
        </p>
      );
    case 'ended':
      return (
        <p class="notice bad" role="status">
          {connection.why === 'refused'
            ? 'The node does not serve streams, so nothing here is live.'
            : 'The node serves another network now.'}
          {shown}
        </p>
      );
  }
}
