/** What a text in Prometheus' format says, for whoever reads the metrics of a node without a Prometheus. */
export interface Samples {
  /**
   * Value of a series.
   *
   * @param name as it stands in the text: of a histogram `…_sum`, `…_count` or `…_bucket`
   * @param labels those that it has to have, among others perhaps
   * @returns the first that fits; null where there is none
   */
  value(name: string, labels?: Readonly<Record<string, string>>): number | null;
  /** Values of a metric by the value of one of its labels; series without it are left out. */
  by(name: string, label: string): Readonly<Record<string, number>>;
  /** Of all series of a metric together; 0 where there is none. */
  sum(name: string): number;
}

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: -?\d+)?$/;
const pair = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));

/** Numbers as Prometheus writes them. */
function numberOf(text: string): number {
  if (/^[+-]?Inf$/.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

/** @param text in the text format of Prometheus, 0.0.4; lines that are not of it are left out */
export function parseSamples(text: string): Samples {
  const byName = new Map<string, Series[]>();
  for (const each of text.split('\n')) {
    const [, name, labels = '', value] = line.exec(each) ?? [];
    if (name === undefined) continue;
    const pairs = [...labels.matchAll(pair)].map(([, label, of]) => [label!, unescaped(of!)] as const);
    const series = byName.get(name) ?? [];
    byName.set(name, series);
    series.push({ labels: Object.fromEntries(pairs), value: numberOf(value!) });
  }
  const of = (name: string): readonly Series[] => byName.get(name) ?? [];
  return {
    value(name, wanted = {}) {
      const fits = ({ labels }: Series): boolean =>
        Object.entries(wanted).every(([label, value]) => labels[label] === value);
      return of(name).find(fits)?.value ?? null;
    },
    by: (name, label) =>
      Object.fromEntries(
        of(name).flatMap(({ labels, value }) => {
          const key = labels[label];
          return key === undefined ? [] : [[key, value] as const];
        }),
      ),
    sum: (name) => of(name).reduce((sum, { value }) => sum + value, 0),
  };
}
