import type { ActionPayload } from '@prime/codec';
import { type CryptoProvider, publicKeyToAddress } from '@prime/crypto';
import type { Address } from '@prime/primitives';
import { patientRpc, rpcAll, RpcError } from '../rpc.ts';
import { type Account, Keyring } from '../scenario/keyring.ts';
import { closingOf } from '../scenario/plan.ts';
import type { Operation, Plan } from '../scenario/operation.ts';
import { signAction } from '../scenario/signedOperation.ts';
import { readAccounts, readFacts } from './facts.ts';
import { faucetOf, type Funder, signTransfer, transferGas } from './funding.ts';
import type { LoadOptions } from './runOptions.ts';
import { setUp } from './setup.ts';
import { factsOf } from './worker/work.ts';

/** A run that is over, whose accounts return their wei to who paid. */
export interface GiveBackOptions extends Pick<LoadOptions, 'scenario' | 'workers' | 'funder' | 'seed' | 'secret'> {
  readonly url: string;
  readonly plan: Plan;
  readonly provider: CryptoProvider;
}

/**
 * Sends what the accounts of a run still have to who paid for them: open orders are cancelled, what collateral is free is withdrawn, and the wei are
 * paid back. What positions hold, and what is not worth its own fee, stays.
 *
 * @throws LoadError `LOAD_SETUP_FAILED` with the step that did not come about
 */
export async function giveBack(options: GiveBackOptions): Promise<void> {
  const { url, scenario, workers, funder, seed, secret, plan, provider } = options;
  const to = await payee(url, funder, provider);
  const own = { seed, provider, secret };
  const keyring = new Keyring({ ...own, scenario: scenario.name });
  const accounts = plan.accounts.map((_, index) => keyring.account(index));
  const facts = await readFacts(url);
  const quiet = (): void => undefined;
  const sign = actionSigner(facts.chainId, facts.timeMs, provider);
  const nonces = (await readAccounts(url, accounts)).map(({ nonce }) => nonce);
  await setUp(url, closingOf(scenario, { ...own, workers, facts: factsOf({ ...facts, nonces }) }), quiet);
  const owners = await withCollateral(url, accounts);
  const ends = owners.map((account) => sign(account, { type: 'cancelAll', marketId: null }));
  await setUp(url, [{ name: 'cancelling what is open', operations: ends }], quiet);
  const free = await withCollateral(url, accounts);
  const withdrawals = free
    .filter(({ withdrawable }) => withdrawable > 0n)
    .map((account) => sign(account, { type: 'withdraw', amount: account.withdrawable, to }));
  await setUp(url, [{ name: 'withdrawing collateral', operations: withdrawals }], quiet);
  await setUp(url, [{ name: 'paying back', operations: await transfers(url, accounts, to, provider) }], quiet);
}

async function payee(url: string, funder: Funder, provider: CryptoProvider): Promise<Address> {
  if (funder.kind === 'key') return publicKeyToAddress(provider.publicKey(funder.privateKey));
  if (funder.kind === 'faucet') return faucetOf(url, false);
  return (await patientRpc<Address[]>(url, 'eth_accounts'))[0]!;
}

interface Owner extends Account {
  readonly withdrawable: bigint;
}

/** Accounts that the order book knows, with what they may take out. */
async function withCollateral(url: string, accounts: readonly Account[]): Promise<readonly Owner[]> {
  const answers = await rpcAll(
    url,
    accounts.map(({ address }) => ({ method: 'primeorders_getAccount', params: [address] })),
  );
  return answers.flatMap((answer, index) => {
    if (answer === null || answer instanceof RpcError) return [];
    const { collateral, withdrawable } = answer as { collateral: string; withdrawable: string };
    return collateral === '0x0' ? [] : [{ ...accounts[index]!, withdrawable: BigInt(withdrawable) }];
  });
}

/** Signs actions with nonces behind those of the run: a day ahead is as far as they may be. */
function actionSigner(chainId: number, timeMs: number, provider: CryptoProvider) {
  const halfDayMs = 12 * 3_600_000;
  let nonce = timeMs + halfDayMs;
  return (signer: Account, payload: ActionPayload): Operation =>
    signAction({ chainId, provider }, { kind: payload.type, signer, nonce: nonce++, payload });
}

async function transfers(
  url: string,
  accounts: readonly Account[],
  to: Address,
  provider: CryptoProvider,
): Promise<readonly Operation[]> {
  const [chainId, gasPrice] = await Promise.all([
    patientRpc<string>(url, 'eth_chainId').then(Number),
    patientRpc<string>(url, 'eth_gasPrice').then(BigInt),
  ]);
  const maxFeePerGas = 2n * gasPrice;
  const left = await readAccounts(url, accounts);
  return accounts.flatMap((signer, index) => {
    const { nonce, wei: had } = left[index]!;
    const wei = had - transferGas * maxFeePerGas;
    return wei > 0n ? [signTransfer({ chainId, provider }, { signer, nonce, to, wei, maxFeePerGas })] : [];
  });
}
