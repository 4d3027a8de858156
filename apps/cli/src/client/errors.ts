import {
  InsufficientCollateralError,
  InsufficientMarginError,
  InvalidActionError,
  InvalidPriceError,
  InvalidSizeError,
  LimitExceededError,
  MarketNotFoundError,
  OutcomeUnknownError,
  PrimeSdkError,
  RefusalError,
  RpcAnswerError,
  StreamError,
} from '@prime/sdk';
import { BaseError, formatEther, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { CliError, type CliErrorDetail } from '../errors.ts';
import { noAnswer } from '../node/noAnswer.ts';
import { coin } from './amounts.ts';

/** Carries out what a command does; what the SDK throws becomes an error of the command line, with its exit code. */
export async function asCommand<Result>(url: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (thrown) {
    throw commandError(thrown, url);
  }
}

/** What the SDK or viem threw, as one line that says what is wrong and what is allowed. Anything else stays what it is. */
export function commandError(thrown: unknown, url: string): unknown {
  if (!(thrown instanceof BaseError)) return thrown;
  const become = (message: string, detail: CliErrorDetail): CliError =>
    new CliError(message, detail, { cause: thrown });
  if (thrown instanceof RefusalError)
    return become(`refused: ${refusalWords(thrown)} (${thrown.kind})`, {
      code: 'CLI_ACTION_REFUSED',
      refusal: thrown.kind,
      reason: thrown.shortMessage,
    });
  if (thrown instanceof OutcomeUnknownError)
    return become(
      `nobody could tell in time what became of ${thrown.hash}: it may be in a block or still get into one; ` +
        `prime rpc eth_getTransactionReceipt ${thrown.hash} says more later`,
      { code: 'CLI_OUTCOME_UNKNOWN', hash: thrown.hash },
    );
  if (thrown instanceof MarketNotFoundError) {
    const there = thrown.symbols.length === 0 ? 'there are none' : `there are ${thrown.symbols.join(', ')}`;
    return become(`no market ${thrown.market}: ${there}`, { code: 'CLI_NOT_FOUND', what: `${thrown.market}` });
  }
  if (thrown instanceof StreamError)
    return become(firstLine(thrown), { code: 'CLI_STREAM_ENDED', url, reason: thrown.code });
  return answerError(thrown, url, become) ?? mistake(thrown, become) ?? thrown;
}

type Become = (message: string, detail: CliErrorDetail) => CliError;

/** Of refusals that say nothing about the request: too many of them, or a busy node. */
const limitExceeded = -32_005;

/** Of a node that answered with an error, or did not answer. */
function answerError(thrown: BaseError, url: string, become: Become): CliError | null {
  if (thrown instanceof LimitExceededError)
    return become(`${url} answers: ${answerWords(thrown)}`, { code: 'CLI_UNREACHABLE', url });
  if (thrown instanceof RpcAnswerError) {
    const refusal = `${thrown.rpcCode}`;
    return become(`${url} answers: ${answerWords(thrown)} (${refusal})`, { code: 'CLI_NODE_REFUSED', refusal });
  }
  const answered = found(thrown, RpcRequestError);
  if (answered?.code === limitExceeded)
    return become(`${url} answers: ${answered.details}`, { code: 'CLI_UNREACHABLE', url });
  if (answered !== null) {
    const data = answered.data === undefined ? '' : `, ${JSON.stringify(answered.data)}`;
    const message = `${url} answers: ${answered.details} (${answered.code}${data})`;
    return become(message, { code: 'CLI_NODE_REFUSED', refusal: `${answered.code}` });
  }
  const failed = found(thrown, HttpRequestError);
  if (failed?.status !== undefined)
    return become(`${failed.url} answers HTTP ${failed.status}: ${failed.details}`, {
      code: 'CLI_NODE_REFUSED',
      refusal: `HTTP ${failed.status}`,
    });
  if (failed !== null || found(thrown, TimeoutError) !== null) return noAnswer(failed?.url ?? url, thrown);
  return null;
}

/** Of what was typed, before anything was sent. */
function mistake(thrown: BaseError, become: Become): CliError | null {
  const usage = (message: string, argument: string): CliError => become(message, { code: 'CLI_USAGE', argument });
  if (thrown instanceof InvalidPriceError || thrown instanceof InvalidSizeError) {
    const { below, above } = thrown.nearestText;
    // Below the least there is nothing to round to.
    const allowed =
      below === null ? `the least is ${above}` : `the nearest are ${below} and ${above}, or give --round nearest`;
    const argument = thrown instanceof InvalidPriceError ? 'PRICE' : 'SIZE';
    return usage(`${plain(thrown.shortMessage)}; ${allowed}`, argument);
  }
  if (thrown instanceof InvalidActionError) return usage(plain(thrown.shortMessage), thrown.field);
  if (thrown instanceof PrimeSdkError) return usage(plain(thrown.shortMessage), thrown.code);
  return null;
}

function found<kind extends BaseError>(thrown: BaseError, kind: abstract new (...args: never[]) => kind): kind | null {
  const cause = thrown.walk((error) => error instanceof kind);
  return cause instanceof kind ? cause : null;
}

/** The node's words, with amounts as people write them. */
export function refusalWords(refusal: RefusalError): string {
  const words = plain(refusal.shortMessage)
    .replace(/^Refused: /, '')
    .replaceAll(/\border (0x[0-9a-f]+)\b/g, (_, id: string) => `order ${Number(id)}`);
  if (refusal instanceof InsufficientMarginError) {
    const { required, free } = refusal.data;
    return `the order needs ${formatEther(required)} ${coin} of margin, and ${formatEther(free)} are free; prime deposit adds some`;
  }
  if (refusal instanceof InsufficientCollateralError)
    return `${formatEther(refusal.data.withdrawable)} ${coin} of collateral may leave, not more`;
  return words;
}

const answerWords = ({ shortMessage }: RpcAnswerError): string =>
  plain(shortMessage).replace(/^The node answered: /, '');
const plain = (message: string): string => message.replace(/\.$/, '');
const firstLine = ({ shortMessage }: BaseError): string => plain(shortMessage.split('\n')[0]!);
