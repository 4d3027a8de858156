import { PrimeError } from '@prime/primitives';

/** Where a value of the configuration came from; later ones win. */
export type ConfigSourceKind = 'default' | 'file' | 'environment' | 'flag';

/** Where one value came from, so that a refusal can name the place to change it. */
export interface ConfigSource {
  readonly kind: ConfigSourceKind;
  /** The file, variable or flag; empty for a default. */
  readonly name: string;
}

/** `path` names the key or the file, `allowed` says in words what would do. */
export type ConfigErrorDetail =
  /** The text is not TOML or JSON at all. */
  | { readonly code: 'CONFIG_SYNTAX'; readonly source: string; readonly line: number | null }
  /** A key, section, environment variable or flag that the schema does not know. */
  | {
      readonly code: 'CONFIG_UNKNOWN_KEY';
      readonly path: string;
      readonly source: ConfigSource;
      readonly allowed: readonly string[];
    }
  /** A known key with a value of the wrong type or out of range. */
  | {
      readonly code: 'CONFIG_INVALID_VALUE';
      readonly path: string;
      readonly value: string;
      readonly allowed: string;
      readonly source: ConfigSource;
    }
  /** A genesis file that lacks something, has something unknown, or contradicts itself. */
  | {
      readonly code: 'CONFIG_GENESIS_INVALID';
      readonly path: string;
      readonly value: string;
      readonly allowed: string;
    }
  /** A validator's declaration for a genesis that is none, or says what is not allowed. */
  | {
      readonly code: 'CONFIG_DECLARATION_INVALID';
      readonly source: string;
      readonly field: string;
      readonly allowed: string;
    }
  /** A declaration is not signed by the key that it names: somebody else made it, or it was changed afterwards. */
  | { readonly code: 'CONFIG_DECLARATION_UNSIGNED'; readonly source: string; readonly by: 'owner' | 'signer' }
  /** A declaration is for another network. */
  | {
      readonly code: 'CONFIG_DECLARATION_FOREIGN';
      readonly source: string;
      readonly expected: string;
      readonly found: string;
    }
  /** Two declarations have in common what belongs to one validator. */
  | {
      readonly code: 'CONFIG_DECLARATION_REPEATED';
      readonly sources: readonly [string, string];
      readonly field: string;
    }
  /** A key file that is no keystore that can be read here, or whose address does not belong to its key. */
  | { readonly code: 'CONFIG_KEY_FILE_INVALID'; readonly path: string; readonly allowed: string }
  /** A key file of an older version, whose private key lies in the open. */
  | { readonly code: 'CONFIG_KEY_FILE_PLAIN'; readonly path: string }
  /** The password is not that of the keystore, or the keystore was changed. */
  | { readonly code: 'CONFIG_KEY_PASSWORD_WRONG'; readonly path: string };

/** The configuration, genesis or a key file can not be used; the message says what was wrong, where, and what is allowed. */
export class ConfigError extends PrimeError<ConfigErrorDetail> {}

/** A value as it may stand in a message: JSON, clipped. Key material must never come here. */
export function showValue(value: unknown): string {
  const text =
    JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? item.toString() : item)) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** For people. */
export const sourceText = ({ kind, name }: ConfigSource): string =>
  kind === 'default' ? 'the defaults' : kind === 'flag' ? `flag ${name}` : name;

/** `CONFIG_INVALID_VALUE`. @param path of the key @param allowed in words */
export function invalidValue(path: string, value: unknown, allowed: string, source: ConfigSource): ConfigError {
  const shown = showValue(value);
  const message = `${path} = ${shown} (from ${sourceText(source)}): allowed is ${allowed}`;
  return new ConfigError(message, { code: 'CONFIG_INVALID_VALUE', path, value: shown, allowed, source });
}
