import {
  type ExportStore,
  openFilesStore,
  openNodeSource,
  openPostgresStore,
  StreamsError,
  type StreamsLog,
  verifyExport,
} from '@prime/streams';
import { connect, type NodeFlags } from '../client/connect.ts';
import { CliError, parseWholeNumber, usageError } from '../errors.ts';
import { rpcNode } from '../node/rpc.ts';
import { nodesOf, postgresUrl } from './given.ts';

/** Flags of `prime export --verify`, as they were typed. */
export interface VerifyFlags extends NodeFlags {
  readonly postgres?: boolean;
  readonly postgresUrlFile?: string;
  readonly schema: string;
  readonly from?: string;
  readonly to?: string;
}

/** Tries of one question, some 16 s together: a command that is run at night ends. */
const attemptsMax = 9;

/** Nodes that do not answer are said where answers of commands are not, and at last given up. */
function patience(url: string, gaveUp: AbortController): StreamsLog {
  const say = (fields: object, message: string): void => console.error(`prime: ${message} ${JSON.stringify(fields)}`);
  return {
    info: () => undefined,
    error: say,
    warn: (fields, message) => {
      say(fields, message);
      if ((fields as { attempt?: number }).attempt !== attemptsMax) return;
      gaveUp.abort(new CliError(`no node answers: ${message}`, { code: 'CLI_UNREACHABLE', url }));
    },
  };
}

/** `prime export --verify`. @throws StreamsError `STREAMS_NOT_VERIFIED` */
export async function verify(folder: string | undefined, flags: VerifyFlags): Promise<void> {
  const height = (text: string | undefined, name: string): number | undefined =>
    text === undefined ? undefined : parseWholeNumber(text, name, 0, Number.MAX_SAFE_INTEGER);
  const [from, to] = [height(flags.from, '--from'), height(flags.to, '--to')];
  const { urls } = await connect(flags);
  const { apiKey } = await rpcNode(urls[0], flags);
  const store = await storeOf(folder, flags);
  const gaveUp = new AbortController();
  const { signal } = gaveUp;
  const nodes = nodesOf(urls, apiKey, patience(urls[0], gaveUp), () => undefined);
  const source = await openNodeSource(nodes, signal);
  try {
    signal.throwIfAborted();
    const findings: object[] = [];
    const verification = await verifyExport(store, source!, {
      from,
      to,
      signal,
      onFinding: (finding) => {
        if (flags.json !== true) return console.log(`${finding.kind}: ${finding.words}`);
        if (findings.length < findingsShownMax) findings.push(finding);
      },
    });
    const { from: first, to: last, provenTo, blocks, records, findings: count } = verification;
    if (flags.json === true) console.log(JSON.stringify({ where: store.where, ...verification, found: findings }));
    else
      console.log(
        `${store.where}: blocks ${first} to ${last} (${blocks} blocks, ${records} records), signed for up to block ${provenTo}: ${count === 0 ? 'clean' : `${count} findings`}`,
      );
    if (count > 0)
      throw new StreamsError(`${store.where} is not what the chain has: ${count} findings`, {
        code: 'STREAMS_NOT_VERIFIED',
        findings: count,
      });
  } finally {
    source?.close();
    await store.close();
  }
}

/** Of findings as JSON: an export of another chain would have as many as records. */
const findingsShownMax = 10_000;

async function storeOf(folder: string | undefined, flags: VerifyFlags): Promise<ExportStore> {
  const isDatabase = flags.postgres === true || flags.postgresUrlFile !== undefined;
  if (isDatabase === (folder !== undefined)) throw usageError('name a folder, or --postgres', 'folder');
  if (folder !== undefined) return openFilesStore(folder);
  const url = await postgresUrl(flags.postgresUrlFile, '--postgres-url-file');
  return openPostgresStore({ url, schema: flags.schema });
}
