import { junkMnemonic } from '@prime/examples';
import { mnemonicToAccount } from 'viem/accounts';
import { hex } from '../clients.ts';
import { beyondAllWei } from '../decidedBlocks.ts';
import { named, type Scene, type Shape } from '../scene.ts';

/** Transfers between the domains, few and many, with validators that stop while they wait. */

const rich = 10n ** 18n;
const receivers = 40;
const bridge = {
  out: ['primebridge_enqueueOrdersToEvm', 'primebridge_dequeueOrdersToEvm'],
  in: ['primebridge_enqueueEvmToOrders', 'primebridge_dequeueEvmToOrders'],
} as const;

/** Accounts of the EVM that nodes sign for: their wei pay for what goes into the book. */
const payers = [0, 1, 2].map((addressIndex) => mnemonicToAccount(junkMnemonic, { addressIndex }).address.toLowerCase());

/** Carries out what waits, until nothing does. */
async function drain(scene: Scene, method: string): Promise<void> {
  for (let left = 1n; left > 0n; ) {
    const { outcome } = await scene.clients.ask(method, []);
    if (outcome.kind === 'result') left = BigInt((outcome.result as { pending: string }).pending);
  }
}

async function onePerBlock(scene: Scene): Promise<void> {
  const from = named('leaver');
  await scene.fund([from], rich);
  const [enqueue, dequeue] = bridge.out;
  const count = scene.pick([63, 64, 65, 66]);
  for (let index = 0; index < count; index++)
    await scene.clients.ask(enqueue, [{ from, to: named(`out${index % receivers}`), amount: hex(1 + index) }]);
  // One that can not arrive, and one that is more than there is.
  await scene.clients.ask(enqueue, [{ from, to: `0x${'100'.padStart(40, '0')}`, amount: hex(7) }]);
  await scene.clients.ask(enqueue, [{ from, to: named('out0'), amount: hex(rich * 100n) }]);
  if (scene.random.chance(1, 2)) await scene.disturb();
  await drain(scene, dequeue);
}

async function queues(scene: Scene): Promise<void> {
  const from = named('exporter');
  await scene.fund([from], rich);
  const count = scene.pick([1001, 1100, 1300]);
  const calls = (method: string, of: (index: number) => object) =>
    Array.from({ length: count }, (_, index) => [method, [of(index)]] as const);
  await Promise.all([
    scene.clients.all(
      calls(bridge.out[0], (index) => ({ from, to: named(`out${index % receivers}`), amount: hex(1 + (index % 9)) })),
      64,
    ),
    scene.clients.all(
      calls(bridge.in[0], (index) => ({
        from: payers[index % payers.length],
        to: named(`in${index % receivers}`),
        amount: hex(1 + (index % 9)),
      })),
      64,
    ),
  ]);
  await scene.clients.ask(bridge.in[0], [{ from: payers[0], to: named('in0'), amount: hex(beyondAllWei) }]);
  await scene.disturb();
  await Promise.all([drain(scene, bridge.out[1]), drain(scene, bridge.in[1])]);
}

export const bridgeShapes: readonly Shape[] = [
  { name: 'withdrawals, one per block', run: onePerBlock },
  { name: 'thousands in both queues', run: queues },
];
