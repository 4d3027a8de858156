import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type HomePaths, homePaths, loadConfig } from '@prime/config';
import { readHomeFile } from '@prime/node';
import { CliError, usageError } from '../errors.ts';
import { noHome } from '../files.ts';
import { answerDeadline, noAnswer } from './noAnswer.ts';

/** What `/status` of a running node says of its consensus; powers are decimal strings. */
export interface ConsensusStatus {
  readonly head: number;
  readonly height: number;
  readonly round: number;
  readonly syncing: unknown;
  readonly active: boolean;
  readonly peers: readonly { readonly address: string; readonly role: string }[];
  readonly self: string | null;
  readonly upgrade: {
    readonly version: number;
    readonly known: number;
    readonly next: {
      readonly version: number;
      readonly height: number;
      readonly known: boolean;
      readonly readyPower: string;
      readonly totalPower: string;
    } | null;
  };
  readonly signer: {
    readonly address: string;
    readonly connected: boolean;
    readonly waiting: number;
    readonly lastError: string | null;
  } | null;
  readonly signing: { readonly phase: 'hearing' | 'watching' | 'open'; readonly from: number | null } | null;
}

/** The admin endpoint of the node whose home this is. */
export interface AdminClient {
  /** GET. @throws CliError `CLI_UNREACHABLE`, `CLI_NODE_REFUSED` where the node can not tell */
  read<Answer>(path: string): Promise<Answer>;
  /** GET of what is no JSON, as text. @throws CliError `CLI_UNREACHABLE` */
  text(path: string): Promise<string>;
  /** POST, with the token of the running node. @throws CliError `CLI_UNREACHABLE`, `CLI_NODE_REFUSED` */
  command<Answer>(path: string, body: unknown): Promise<Answer>;
}

/** @throws CliError `CLI_USAGE` when the node has no admin endpoint, ConfigError; `CLI_NOT_FOUND` for a folder that is no home */
export async function adminClient(home: string): Promise<AdminClient> {
  const paths = homePaths(resolve(home));
  const base = await adminUrl(paths);
  return {
    async read<Answer>(path: string) {
      const answer = await ask(`${base}${path}`, { signal: answerDeadline() });
      const { error } = (answer ?? {}) as { readonly error?: unknown };
      if (typeof error !== 'string') return answer as Answer;
      throw new CliError(`the node answers: ${error}`, { code: 'CLI_NODE_REFUSED', refusal: 'NO_ANSWER' });
    },
    text: (path) => fetched(`${base}${path}`, { signal: answerDeadline() }, (answer) => answer.text()),
    async command<Answer>(path: string, body: unknown) {
      const headers = { authorization: `Bearer ${await tokenOf(paths, base)}`, 'content-type': 'application/json' };
      const answer = await ask(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const { error } = answer as { readonly error?: { readonly code: string; readonly message: string } | string };
      if (error === undefined) return answer as Answer;
      const [refusal, message] = typeof error === 'string' ? ['NO_ANSWER', error] : [error.code, error.message];
      throw new CliError(`the node answers: ${message}`, { code: 'CLI_NODE_REFUSED', refusal });
    },
  };
}

/** A request for JSON. @throws CliError `CLI_UNREACHABLE` */
const ask = (url: string, request: RequestInit): Promise<unknown> => fetched(url, request, (answer) => answer.json());

async function fetched<Content>(
  url: string,
  request: RequestInit,
  read: (answer: Response) => Promise<Content>,
): Promise<Content> {
  try {
    return await read(await fetch(url, request));
  } catch (cause) {
    throw noAnswer(url, cause);
  }
}

async function adminUrl(paths: HomePaths): Promise<string> {
  const { config: path } = paths;
  if (!existsSync(path)) throw noHome(paths, 'config.toml');
  const { config } = loadConfig({ file: { name: path, text: await readHomeFile(path) }, environment: process.env });
  const { listen } = config.admin;
  if (listen === null) throw usageError('this node has no admin endpoint: set admin.listen', 'admin.listen');
  return `http://${listen.host}:${listen.port}`;
}

/** It is there while the node runs. */
async function tokenOf({ adminToken }: HomePaths, url: string): Promise<string> {
  try {
    return (await readFile(adminToken, 'utf8')).trim();
  } catch (cause) {
    throw new CliError(
      `can not read ${adminToken}: is the node running, and is it yours?`,
      { code: 'CLI_UNREACHABLE', url },
      { cause },
    );
  }
}
