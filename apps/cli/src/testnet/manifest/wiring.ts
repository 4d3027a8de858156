import type { NodeWiring } from '@prime/config';
import type { Manifest } from './manifest.ts';

/**
 * Who connects with whom. Validators that nothing stands before, and sentries, know each other; a validator behind sentries knows these alone, and nobody
 * else knows it; followers know everybody who may be known. Numbers are those of {@link nodeNames}.
 */
export function wiringOf({ validators, sentries, followers }: Manifest): NodeWiring[] {
  const shieldOf = validators.map((_, validator) =>
    sentries.flatMap((sentry, index) =>
      sentry.validators.includes(`validator${validator}`) ? [validators.length + index] : [],
    ),
  );
  const allSentries = sentries.map((_, index) => validators.length + index);
  const known = [...shieldOf.flatMap((shield, validator) => (shield.length === 0 ? [validator] : [])), ...allSentries];
  const others = (self: number): number[] => known.filter((node) => node !== self);
  return [
    ...shieldOf.map((shield, validator) =>
      shield.length === 0
        ? { peers: others(validator), sentries: [], privatePeers: [] }
        : { peers: shield, sentries: shield, privatePeers: [] },
    ),
    ...allSentries.map((sentry) => {
      const behind = shieldOf.flatMap((shield, validator) => (shield.includes(sentry) ? [validator] : []));
      return { peers: [...behind, ...others(sentry)], sentries: [], privatePeers: behind };
    }),
    ...followers.map(() => ({ peers: known, sentries: [], privatePeers: [] })),
  ];
}
