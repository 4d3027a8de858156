import { listenAsWorker, operationsOfWork } from '@prime/load';
import { usageError } from '../errors.ts';
import { readGiven } from '../files.ts';
import { parsePlace } from './given.ts';

/** `prime load worker`: serves until it is told to end. */
export async function worker(flags: { readonly listen: string; readonly tokenFile: string }): Promise<void> {
  const { host, port } = parsePlace(flags.listen, '--listen');
  const listener = await listenAsWorker({
    host,
    port,
    token: await readToken(flags.tokenFile),
    say: (line) => console.log(line),
    operationsOf: operationsOfWork,
  });
  console.log(`worker listens on ${listener.host}:${listener.port}`);
  const end = (): void => void listener.close().then(() => process.exit(0));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

const tokenCharactersMin = 16;

/** What coordinator and workers know alike. @throws CliError `CLI_USAGE` for one that is guessed easily */
export async function readToken(file: string): Promise<string> {
  const token = (await readGiven(file, '--token-file')).trim();
  if (token.length >= tokenCharactersMin) return token;
  throw usageError(`${file} must hold a token of at least ${tokenCharactersMin} characters`, '--token-file');
}
