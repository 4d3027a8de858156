import type { BlockStore, Execution, PeerMessage, PeerNetwork, SignStateStore, Wal } from './ports.ts';

/** Where a process may die, in the order in which a block passes them. */
export type CrashPoint = `${'before' | 'after'} ${'log' | 'signState' | 'send' | 'block' | 'commit'}`;

interface CrashablePorts {
  readonly wal: Wal;
  readonly signState: SignStateStore;
  readonly blocks: BlockStore;
  readonly execution: Execution;
  readonly network: PeerNetwork;
}

/** Messages that bind a validator or decide a height; a crash around any other one is like a message that was lost. */
const binding: ReadonlySet<PeerMessage['kind']> = new Set(['vote', 'proposal', 'voteCertificate']);

/**
 * Ports that say before and after each thing that a crash must not come between unnoticed: syncs of the log and the sign state,
 * messages that bind, blocks made durable, blocks executed for good. For tests: who listens may end the process there.
 *
 * @param reach told of each point as it is passed; what it throws ends the operation
 */
export function withCrashPoints(ports: CrashablePorts, reach: (point: CrashPoint) => void): CrashablePorts {
  const { wal, signState, blocks, execution, network } = ports;
  const around = <Result>(what: 'log' | 'signState' | 'send', work: () => Result): Result => {
    reach(`before ${what}`);
    const result = work();
    reach(`after ${what}`);
    return result;
  };
  const aroundAsync = async <Result>(what: 'block' | 'commit', work: () => Promise<Result>): Promise<Result> => {
    reach(`before ${what}`);
    const result = await work();
    reach(`after ${what}`);
    return result;
  };
  const sent = <Result>(message: PeerMessage, work: () => Result): Result =>
    binding.has(message.kind) ? around('send', work) : work();
  return {
    wal: {
      replay: () => wal.replay(),
      beginHeight: (height) => wal.beginHeight(height),
      append: (entry) => wal.append(entry),
      sync: () => around('log', () => wal.sync()),
      close: () => wal.close(),
    },
    signState: {
      read: () => signState.read(),
      write: (record) => around('signState', () => signState.write(record)),
      isSealed: () => signState.isSealed(),
      unseal: () => around('signState', () => signState.unseal()),
      close: () => signState.close(),
    },
    blocks: {
      head: () => blocks.head(),
      base: () => blocks.base(),
      get: (height) => blocks.get(height),
      heightOf: (hash) => blocks.heightOf(hash),
      validators: (height) => blocks.validators(height),
      append: (block, next) => aroundAsync('block', () => blocks.append(block, next)),
      close: () => blocks.close(),
    },
    execution: {
      status: () => execution.status(),
      check: (block, next) => execution.check(block, next),
      judgeEvidence: (evidence) => execution.judgeEvidence(evidence),
      commit: (...block) => aroundAsync('commit', () => execution.commit(...block)),
    },
    network: {
      peers: () => network.peers(),
      send: (to, message) => sent(message, () => network.send(to, message)),
      broadcast: (message) => sent(message, () => network.broadcast(message)),
      punish: (...offender) => network.punish(...offender),
    },
  };
}
