import './kit/tokens.css';
import './kit/base.css';
import './kit/kit.css';
import './kit/controls.css';
import './kit/table.css';
import './kit/shell.css';
import { effect, signal } from '@preact/signals';
import { type JSX, render } from 'preact';
import { App } from './app/App.tsx';
import { type Explorer, ExplorerProvider } from './app/context.ts';
import { type Memory, openMemory } from './app/storage.ts';
import { restoreTheme } from './app/theme.ts';
import { clock, startClock } from './kit/clock.ts';
import { toast } from './kit/toasts.tsx';
import { browserFrames } from './live/frames.ts';
import { requestLog } from './live/requestLog.ts';
import { type ExplorerNode, openNode } from './node/node.ts';
import { watchPolicy } from './node/policy.ts';
import { chooseRpcUrl } from './node/rpcUrl.ts';
import { createRouter } from './router/router.ts';

const rpcKey = 'prime.rpc';
const { BASE_URL: base } = import.meta.env;

/** What whoever serves the page says beside it; null where they say nothing. */
async function readConfig(): Promise<unknown> {
  try {
    const response = await fetch(`${base}config.json`, { credentials: 'omit' });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function rpcUrl(memory: Memory, config: unknown): string {
  const { search, origin } = location;
  const chosen = chooseRpcUrl({ search, remembered: memory.getItem(rpcKey), config, origin });
  if (chosen.from === 'address') memory.setItem(rpcKey, chosen.url);
  if (new URLSearchParams(search).get('rpc') === '') memory.removeItem(rpcKey);
  if (chosen.refused !== null) toast('The address of a node begins with http:// or https://.', 'bad');
  return chosen.url;
}

async function main(): Promise<void> {
  const memory = openMemory();
  restoreTheme(memory);
  startClock();
  const forbidden = watchPolicy(document);
  const config = await readConfig();
  const open = (url: string): ExplorerNode =>
    openNode({ url, requestFrame: browserFrames, clock, onCall: requestLog.add });
  const node = signal(open(rpcUrl(memory, config)));
  const replace = (url: string): void => {
    node.peek().close();
    node.value = open(url);
  };
  const choose = (url: string | null): void => {
    if (url === null) memory.removeItem(rpcKey);
    else memory.setItem(rpcKey, url);
    replace(url ?? chooseRpcUrl({ search: '', remembered: null, config, origin: location.origin }).url);
  };
  // A test network that begins anew at the same address: what was shown is gone, so the page begins anew, too.
  effect(() => {
    const connection = node.value.connection.value;
    if (connection.kind !== 'ended' || connection.why !== 'replaced') return;
    toast('The node serves another network now.');
    queueMicrotask(() => replace(node.peek().url));
  });
  const router = createRouter(window, base);
  const Root = (): JSX.Element => {
    const explorer: Explorer = { node: node.value, router, forbidden, choose };
    return (
      <ExplorerProvider value={explorer} key={nodeKey(explorer.node)}>
        <App />
      </ExplorerProvider>
    );
  };
  render(<Root />, document.getElementById('app')!);
}

const keys = new WeakMap<ExplorerNode, number>();
let nextKey = 0;

/** Another node has nothing to do with what components remember of the one before. */
function nodeKey(node: ExplorerNode): number {
  const key = keys.get(node) ?? nextKey++;
  keys.set(node, key);
  return key;
}

await main();
