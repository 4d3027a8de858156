import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type KeyKind, passwordName, passwordNames } from '@prime/config';
import { NodeError } from '../errors.ts';
import { checkPrivate } from './keyFiles.ts';

/**
 * Where the password of a keystore comes from. Never from an argument: arguments are shown to everybody on the machine.
 *
 * In this order: the option `--password-file`; the environment, the password itself or the name of a file; a credential of systemd; a file `password` beside
 * the keystore; whoever sits at the terminal.
 */
export interface PasswordSources {
  /** What `--password-file` named. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Asks whoever sits there, without showing the answer; null where nobody does. */
  readonly ask: ((question: string) => Promise<string>) | null;
}

/** Nobody else may read a password; a group may where it was named, because that is how containers are given secrets. */
const mayNotNamed = 0o027;
const passwordCharactersMax = 1_024;

/**
 * The password of a keystore.
 *
 * @param path of the keystore
 * @param kind what the key is for
 * @throws NodeError `CONFIG_KEY_PASSWORD_MISSING` with all that is allowed, `CONFIG_KEY_PASSWORD_INVALID`, `CONFIG_HOME_UNREADABLE`, `CONFIG_KEY_FILE_OPEN`
 */
export async function findPassword(path: string, kind: KeyKind, sources: PasswordSources): Promise<string> {
  const given = givenPassword(path, kind, sources);
  if (given !== null) return given;
  if (sources.ask !== null) return checked(await sources.ask(`Password of ${path}: `), 'what was typed');
  throw passwordMissing(path, kind);
}

/**
 * The password under which a new keystore is to be written; who types it types it twice.
 *
 * @throws NodeError as {@link findPassword}, and `CONFIG_KEY_PASSWORD_INVALID` where the two are not the same
 */
export async function newPassword(path: string, kind: KeyKind, sources: PasswordSources): Promise<string> {
  const given = givenPassword(path, kind, sources);
  if (given !== null) return given;
  if (sources.ask === null) throw passwordMissing(path, kind);
  const password = checked(await sources.ask(`New password of ${path}: `), 'what was typed');
  if ((await sources.ask('The same again: ')) === password) return password;
  throw invalid('what was typed', 'the same both times');
}

function givenPassword(path: string, kind: KeyKind, { file, environment }: PasswordSources): string | null {
  const { variable, fileVariable, credential } = passwordNames[kind];
  if (file !== undefined) return passwordIn(file, mayNotNamed);
  const [password, named, credentials] = [variable, fileVariable, 'CREDENTIALS_DIRECTORY'].map(
    (name) => environment[name],
  );
  if (password !== undefined) return checked(password, variable);
  if (named !== undefined) return passwordIn(named, mayNotNamed);
  const loaded = credentials === undefined ? null : join(credentials, credential);
  // Only the service's user can get there, whatever the mode says.
  if (loaded !== null && existsSync(loaded)) return passwordIn(loaded, 0);
  const beside = join(dirname(path), passwordName);
  return existsSync(beside) ? passwordIn(beside) : null;
}

/** @param mayNot what others must not be allowed to do with the file; default is anything */
function passwordIn(path: string, mayNot?: number): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new NodeError(
      `can not read the password file ${path}: ${(cause as Error).message}`,
      { code: 'CONFIG_HOME_UNREADABLE', path },
      { cause },
    );
  }
  checkPrivate(path, mayNot);
  return checked(text.replace(/\r?\n$/, ''), path);
}

function checked(password: string, source: string): string {
  if (password.length >= 1 && password.length <= passwordCharactersMax && !/[\r\n]/.test(password)) return password;
  throw invalid(source, `one line of 1 to ${passwordCharactersMax} characters`);
}

const invalid = (source: string, allowed: string): NodeError =>
  new NodeError(`the password (from ${source}) has to be ${allowed}`, {
    code: 'CONFIG_KEY_PASSWORD_INVALID',
    source,
    allowed,
  });

function passwordMissing(path: string, kind: KeyKind): NodeError {
  const { variable, fileVariable, credential } = passwordNames[kind];
  const sources = [
    '--password-file FILE',
    variable,
    `${fileVariable} (both in the environment)`,
    `a credential ${credential} of systemd`,
    `a file ${join(dirname(path), passwordName)} of mode 0600`,
    'a terminal',
  ];
  return new NodeError(`${path} needs its password, and there is none. It may come from ${sources.join(', ')}`, {
    code: 'CONFIG_KEY_PASSWORD_MISSING',
    path,
    sources,
  });
}
