/** A NATS server and a PostgreSQL server of Debian in folders of their own, which tests kill and start again. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { isAtHand, until } from '@prime/testkit';
import pg from 'pg';

export const hasNats = (): boolean =>
  isAtHand('nats-server', spawnSync('nats-server', ['--version']).error === undefined);

const debianPostgres = '/usr/lib/postgresql';

/** Folder of the programs of PostgreSQL, which Debian puts beside the path; null where they are not there. */
function postgresPrograms(): string | null {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres) : [];
  const folders = versions.map((version) => join(debianPostgres, version, 'bin'));
  const path = (process.env['PATH'] ?? '').split(':');
  return [...folders, ...path].find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

export const hasPostgres = (): boolean => isAtHand('postgresql', postgresPrograms() !== null);

/** A server that is started and killed by hand. */
abstract class Server {
  readonly port: number;
  #child: ChildProcess | null = null;

  constructor(port: number) {
    this.port = port;
  }

  protected abstract launch(): ChildProcess;
  protected abstract answers(): Promise<boolean>;
  protected abstract readonly killSignal: NodeJS.Signals;

  async start(): Promise<void> {
    const child = this.launch();
    this.#child = child;
    await until(`a server answers on ${this.port}`, () => this.answers());
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(this.killSignal);
    await gone;
  }
}

export class NatsServer extends Server {
  protected readonly killSignal = 'SIGKILL';
  readonly #folder: string;

  constructor(folder: string, port: number) {
    super(port);
    this.#folder = folder;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  protected async answers(): Promise<boolean> {
    const connection = await connect({ servers: this.url, reconnect: false });
    await connection.close();
    return true;
  }

  protected launch(): ChildProcess {
    return spawn('nats-server', ['-js', '-sd', this.#folder, '-a', '127.0.0.1', '-p', `${this.port}`], {
      stdio: 'ignore',
    });
  }
}

/** PostgreSQL refuses to run as root: then it runs as the user that Debian makes for it. */
export class PostgresServer extends Server {
  /** An immediate shutdown: nothing is written, and the next start recovers. The postmaster's children end with it, so that it can be. */
  protected readonly killSignal = 'SIGQUIT';
  readonly #folder: string;
  readonly #programs = postgresPrograms()!;
  readonly #user: { readonly uid?: number; readonly gid?: number };

  constructor(folder: string, port: number) {
    super(port);
    this.#folder = folder;
    const isRoot = process.getuid?.() === 0;
    const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    this.#user = isRoot ? { uid: id('-u'), gid: id('-g') } : {};
    mkdirSync(folder, { recursive: true });
    const { uid, gid } = this.#user;
    if (uid !== undefined) chownSync(folder, uid, gid!);
    execFileSync(join(this.#programs, 'initdb'), ['-D', join(folder, 'data'), '-U', 'prime', '-A', 'trust', '-N'], {
      ...this.#user,
      cwd: folder,
      stdio: 'ignore',
    });
  }

  get url(): string {
    return `postgres://prime@127.0.0.1:${this.port}/postgres`;
  }

  /** It listens before it has recovered. */
  protected async answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    await client.end();
    return true;
  }

  protected launch(): ChildProcess {
    const settings = [`port=${this.port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${this.#folder}`];
    // A process that is killed loses nothing that the system has; only power would.
    settings.push('fsync=off');
    const args = ['-D', join(this.#folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])];
    return spawn(join(this.#programs, 'postgres'), args, { ...this.#user, cwd: this.#folder, stdio: 'ignore' });
  }
}
