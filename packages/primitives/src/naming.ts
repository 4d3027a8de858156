/** A name in {@link camelCase}. */
export type CamelCase<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;

/** `snake_case` of files and streams as the names that programs use: `propose_ms` becomes `proposeMs`. */
export const camelCase = (text: string): string =>
  text.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A table with its keys in {@link camelCase}; what stands within its values stays. */
export const camelKeys = <table extends object>(table: table) =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [camelCase(key), value as unknown])) as {
    readonly [key in keyof table as CamelCase<key & string>]: table[key];
  };
