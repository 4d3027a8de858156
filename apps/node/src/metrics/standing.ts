import type { LabelledMetric, LabelledValue } from '@prime/telemetry';

/** A metric that is read from a standing, which is put together when Prometheus asks. */
export interface StandingMetric<Standing> extends Omit<LabelledMetric, 'read'> {
  readonly read: (standing: Standing) => readonly LabelledValue[];
}

type Kind = Pick<LabelledMetric, 'name' | 'type' | 'help'>;

const single =
  (type: LabelledMetric['type']) =>
  <Standing>(
    name: string,
    help: string,
    value: (standing: Standing) => number | null | undefined,
  ): StandingMetric<Standing> => ({
    name,
    type,
    help,
    labelNames: [],
    read(standing) {
      const found = value(standing);
      return found == null ? [] : [{ labels: {}, value: found }];
    },
  });

/** A gauge without labels; where its value is null or undefined none is shown. */
export const gauge = single('gauge');
/** A counter without labels; where its value is null or undefined none is shown. */
export const counter = single('counter');

/** A metric with one label. @param values by the value of the label; none is shown where they are null or undefined */
export const labelled = <Standing>(
  kind: Kind,
  label: string,
  values: (standing: Standing) => Readonly<Record<string, number>> | null | undefined,
): StandingMetric<Standing> => ({
  ...kind,
  labelNames: [label],
  read: (standing) =>
    Object.entries(values(standing) ?? {}).map(([text, value]) => ({ labels: { [label]: text }, value })),
});

/** Metrics with what a standing says of them, to be rendered. */
export const readFrom = <Standing>(
  metrics: readonly StandingMetric<Standing>[],
  standing: Standing,
): LabelledMetric[] => metrics.map((metric) => ({ ...metric, read: () => metric.read(standing) }));
