import { type Finding, finding } from '@prime/audit';
import { createCryptoProvider } from '@prime/crypto';
import { processClock } from '../openLoop.ts';
import { compareFills, fillComparisonWords } from '../recording/flow/compareFills.ts';
import { parseFlow } from '../recording/flow/parseFlow.ts';
import { recordFlow } from '../recording/recordFlow.ts';
import { type ReplayOptions, replayOf } from '../recording/replay/replayOf.ts';
import { ReplayRefusals } from '../recording/replay/replayRefusals.ts';
import { type ReplayTotals, sendReplay } from '../recording/replay/sendReplay.ts';
import { patientRpc } from '../rpc.ts';
import { SocketCalls } from '../socketCalls.ts';
import { readAccounts, readFacts } from './facts.ts';
import { fund, type Funded } from './funding.ts';
import { setUp } from './setup.ts';
import { factsOf } from './worker/work.ts';

/** A recorded flow, and the network that it is sent to. */
export interface ReplayRunOptions
  extends Pick<ReplayOptions, 'speed' | 'secret' | 'ownMarkets'>,
    Pick<Funded, 'url' | 'funder' | 'say'> {
  /** Opens the flow: lines without their ends. It is read more than once. */
  readonly flow: () => AsyncIterable<string>;
}

/** What came of a replay. */
export interface ReplayRun {
  readonly totals: ReplayTotals;
  /** What was not sent, with how often. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Of fills and of refusals. */
  readonly findings: readonly Finding[];
}

/**
 * Sends a recorded flow to a network with accounts of its own, and compares the fills with the recorded ones.
 *
 * As fast as consensus takes it, the order of the flow is kept and every fill has to be the same. At a speed, what comes first is up to the network: then the
 * share of the traded value that agrees is told, with what was refused, and nothing is a violation but a fault of the node.
 *
 * @throws LoadError `LOAD_FLOW_…`, `LOAD_REPLAY_STOPPED`, `LOAD_FUNDS_MISSING`, `LOAD_SETUP_FAILED`
 */
export async function runReplay(options: ReplayRunOptions): Promise<ReplayRun> {
  const { flow, url, speed, secret, ownMarkets, funder, say } = options;
  const facts = factsOf({ ...(await readFacts(url)), nonces: [] });
  const replay = await replayOf(flow, { facts, secret, speed, keepsOrder: speed === null, ownMarkets });
  const { accounts, setup, needsGas } = replay.plan;
  const before = await readAccounts(url, accounts);
  const provider = await createCryptoProvider();
  await fund({ url, funder, accounts, before, needsGas, provider, say });
  await setUp(url, setup, say);
  const from = Number(await patientRpc<string>(url, 'eth_blockNumber')) + 1;
  const calls = await SocketCalls.open({ url: url.replace(/^http/, 'ws') });
  say('sending');
  try {
    const totals = await sendReplay(replay.steps(), {
      call: calls.call,
      clock: processClock,
      speed,
      keepsOrder: speed === null,
    });
    const to = Number(await patientRpc<string>(url, 'eth_blockNumber'));
    say(`comparing fills of blocks ${from} to ${to} with the recorded ones`);
    const replayed = to < from ? emptyFlow() : parseFlow(recordFlow(calls.call, { from, to }));
    const refusals = new ReplayRefusals(accounts.map(({ address }) => address));
    const comparison = await compareFills(parseFlow(flow()), refusals.counted(replayed), {
      secret,
      markets: replay.markets,
    });
    const seen = fillComparisonWords(comparison);
    const violations =
      speed === null && !comparison.identical ? ['fills of a replay in order are not the recorded ones'] : [];
    return {
      totals,
      leftOut: replay.leftOut,
      findings: [finding('fills as recorded', seen.join('; '), violations), refusals.finding(totals, speed === null)],
    };
  } finally {
    calls.close();
  }
}

async function* emptyFlow(): AsyncGenerator<never> {
  // Nothing was sent: there is no block to read.
}
