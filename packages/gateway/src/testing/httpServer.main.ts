import type { Hash } from '@prime/primitives';
import { defaultGatewayLimits } from '../gatewayLimits.ts';
import { startGateway } from './testGateway.ts';

/**
 * A gateway in a process of its own, which has its own environment: the library reads the size of its header buffer there. Tells its parent the
 * port and each action that is asked for; an action is answered when the parent says `release`.
 */
const waiting: (() => void)[] = [];
// The outcome of an action is asked for so long; none is ever in a block here.
const hash = `0x${'55'.repeat(32)}` as Hash;
const { gateway, node } = await startGateway({
  limits: { ...defaultGatewayLimits, actionTimeoutMs: 1, idleMs: 14_000 },
});
node.onAction = () =>
  new Promise((resolve) => {
    waiting.push(() => resolve(hash));
    process.send?.({ kind: 'asked' });
  });
process.on('message', (message) => {
  if (message === 'release') for (const answer of waiting.splice(0)) answer();
  if (message === 'stop') void gateway.close().then(() => process.disconnect());
});
process.send?.({ kind: 'listening', port: gateway.surfaces.port, library: gateway.surfaces.httpLibrary });
