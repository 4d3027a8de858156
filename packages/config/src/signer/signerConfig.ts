/** The configuration of a remote signer: `signer.toml` in its home, beside the genesis and the keys. */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parse } from 'smol-toml';
import { ConfigError, invalidValue } from '../errors.ts';
import { type ListenAddress, parseListenAddress } from '../listenAddress.ts';

const spki = Type.String({ pattern: '^0x[0-9a-f]{64}$' });
const schema = Type.Object(
  {
    listen: Type.String({ minLength: 1 }),
    admin: Type.Optional(Type.String()),
    log_level: Type.Optional(Type.Union(['error', 'warn', 'info', 'debug', 'trace'].map((word) => Type.Literal(word)))),
    nodes: Type.Array(
      Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }), spki }, { additionalProperties: false }),
      { minItems: 1, maxItems: 16 },
    ),
  },
  { additionalProperties: false },
);

/** What a remote signer may do, and for whom; the keys themselves lie in its home. */
export interface SignerConfig {
  /** Where nodes ask for signatures. */
  readonly listen: ListenAddress;
  /** Where operators look; null is nowhere. */
  readonly admin: ListenAddress | null;
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug' | 'trace';
  /** Who may ask, by the pins of their TLS keys. */
  readonly nodes: readonly { readonly name: string; readonly spki: string }[];
}

/** @throws ConfigError `CONFIG_SYNTAX`, `CONFIG_INVALID_VALUE` */
export function parseSignerConfig(text: string, name: string): SignerConfig {
  const file = parseToml(text, name);
  const problem = Value.Errors(schema, file).First();
  const source = { kind: 'file', name } as const;
  if (problem !== undefined)
    throw invalidValue(
      problem.path.slice(1).replaceAll('/', '.'),
      problem.value,
      `what a signer has: ${problem.message}`,
      source,
    );
  const config = file as Static<typeof schema>;
  const address = (path: 'listen' | 'admin', value: string): ListenAddress => {
    const parsed = parseListenAddress(value);
    if (parsed === null) throw invalidValue(path, value, 'host:port with a port of 0 to 65535', source);
    return parsed;
  };
  const { admin = '', log_level: logLevel = 'info' } = config;
  return {
    listen: address('listen', config.listen),
    admin: admin === '' ? null : address('admin', admin),
    logLevel: logLevel as SignerConfig['logLevel'],
    nodes: config.nodes,
  };
}

function parseToml(text: string, name: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new ConfigError(
      `${name} is not TOML: ${reason}`,
      { code: 'CONFIG_SYNTAX', source: name, line: null },
      { cause },
    );
  }
}

/** A `signer.toml`. @param admin where operators look, `host:port`; null is nowhere */
export const renderSignerConfig = (
  listen: string,
  nodes: SignerConfig['nodes'],
  admin: string | null = null,
): string => `# Configuration of a remote signer.
# Where the nodes below ask for signatures (host:port). Let nobody else reach it.
listen = ${JSON.stringify(listen)}
# HTTP for operators: GET /health /status /metrics (host:port); empty is off.
${admin === null ? '# admin = "127.0.0.1:9200"' : `admin = ${JSON.stringify(admin)}`}
# error, warn, info, debug or trace
# log_level = "info"
${nodes.map((node) => `\n# A node that may ask: the pin of its keys/tls.cert.pem.\n[[nodes]]\nname = ${JSON.stringify(node.name)}\nspki = ${JSON.stringify(node.spki)}\n`).join('')}`;
