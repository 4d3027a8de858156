import { readExecuted } from '@prime/chain';
import type { AccountState, CallOutcome, StateContext, StateRef } from '@prime/codec';
import { type CallBudget, createNodeCommon, createStateReader, type NoOutcome } from '@prime/evm';
import type { Address, Hex } from '@prime/primitives';
import type { CallRequest } from '@prime/rpc';
import { openStateDatabase } from '@prime/storage';
import { callMessageOf, callOutcomeOf } from './callMessage.ts';
import type { ReaderData } from './reader.ts';

/** An EVM on the state database, for reads that end within the turn that asks for them. */
export interface InlineReader {
  /** @throws what goes wrong in the database */
  call(request: CallRequest, at: StateContext, budget: CallBudget): CallOutcome<Hex> | NoOutcome;
  /** @throws what goes wrong in the database */
  account(address: Address, at: StateRef): AccountState;
  close(): Promise<void>;
}

/** What a reader within the gateway's thread is opened with. */
export type InlineReaderData = Pick<ReaderData, 'state' | 'cacheBytes' | 'chainId' | 'callGasMax'>;

/** The same reader of states that the pool's threads have. */
export async function openInlineReader({
  state,
  cacheBytes,
  chainId,
  callGasMax,
}: InlineReaderData): Promise<InlineReader> {
  const [database, common] = await Promise.all([openStateDatabase(state, { cacheBytes }), createNodeCommon(chainId)]);
  const states = await createStateReader({
    database,
    common,
    blockHashOf: (height) => readExecuted(database, height)?.hash ?? null,
    callGasMax,
  });
  return {
    call(request, at, budget) {
      const outcome = states.callAtOnce(callMessageOf(request), at, budget);
      return outcome.status === 'unfit' || outcome.status === 'unfinished' ? outcome : callOutcomeOf(outcome);
    },
    account: (address, at) => states.account(address, at.stateRoot),
    close: () => database.close(),
  };
}
