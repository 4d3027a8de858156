import {
  callEnqueueEvmToOrders,
  definePrimeChain,
  failover,
  depositCollateral,
  dequeueEvmToOrders,
  getAccount,
  type PrimeClient,
  RefusalError,
} from '@prime/sdk';
import { createClient, http, type LocalAccount } from 'viem';
import { getChainId } from 'viem/actions';
import { BotError } from '../errors.ts';

/** Who pays for collateral, how much, and over which nodes. */
export interface FundOptions {
  readonly urls: readonly string[];
  /** Whose collateral it becomes; it signs. */
  readonly account: LocalAccount;
  /** What it has afterwards at least, wei. */
  readonly collateral: bigint;
  readonly sleep: (ms: number) => Promise<void>;
}

/** How often the collateral is looked for until the transfer is carried out, and the time between, ms. */
const looks = 300;
const lookMs = 100;

/**
 * Sees to it that a bot's account has collateral: from its own wei (on networks with a faucet that is enough), else from the accounts
 * that the first node has unlocked, as test networks do.
 *
 * @returns what was added, wei
 * @throws BotError `BOT_FUNDS_MISSING`
 */
export async function fundAccount({ urls, account, collateral, sleep }: FundOptions): Promise<bigint> {
  const transport = failover(urls.map((url) => http(url)));
  const chain = definePrimeChain({
    id: await getChainId(createClient({ transport })),
    http: urls as [string, ...string[]],
  });
  const client = createClient({ account, chain, transport }) as PrimeClient;
  const has = async (): Promise<bigint> => (await getAccount(client, { address: account.address })).collateral;
  const missing = collateral - (await has());
  if (missing <= 0n) return 0n;
  if (await deposits(client, missing)) return missing;
  const unlocked = (await createClient({ transport: http(urls[0]!) }).request({
    method: 'eth_accounts',
  })) as `0x${string}`[];
  const payer = unlocked.at(-1);
  if (payer === undefined)
    throw missingFunds(missing, `${account.address} has not enough wei, and the node no unlocked account`);
  try {
    await callEnqueueEvmToOrders(client, { from: payer, to: account.address, amount: missing });
  } catch (thrown) {
    if (thrown instanceof RefusalError) throw missingFunds(missing, `${payer} can not pay: ${thrown.shortMessage}`);
    throw thrown;
  }
  // Where blocks do not carry out the queue by themselves, somebody has to ask for it.
  await dequeueEvmToOrders(client).catch(() => undefined);
  for (let look = 0; look < looks; look++) {
    if ((await has()) >= collateral) return missing;
    await sleep(lookMs);
  }
  throw missingFunds(missing, 'the transfer was not carried out');
}

/** Whether the account could pay by itself. */
async function deposits(client: PrimeClient, amount: bigint): Promise<boolean> {
  try {
    await depositCollateral(client, { amount });
    return true;
  } catch (thrown) {
    if (thrown instanceof RefusalError && ['insufficient_funds', 'owns_nothing'].includes(thrown.kind)) return false;
    throw thrown;
  }
}

const missingFunds = (wei: bigint, reason: string): BotError =>
  new BotError(`the bot lacks ${wei} wei of collateral: ${reason}`, { code: 'BOT_FUNDS_MISSING', wei, reason });
