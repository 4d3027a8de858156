/** Wei of funding are told in 10^-9. */
const fundingScale = 1_000_000_000;

/** What a long paid in the latest interval as a share of the mark; null without a mark. @param rate 10^-9 wei for one base unit */
export const fundingShare = (rate: bigint, mark: bigint | null): number | null =>
  mark === null || mark === 0n ? null : Number(rate) / fundingScale / Number(mark);

/** Time until something: `07:42`, `1:07:42`; nothing is left of what is past. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const two = (value: number): string => value.toString().padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}

/** Most that margin lets a position be, as a multiple of what it takes: `10×`. */
export const leverageText = (initialMarginBps: number): string =>
  `${(10_000 / initialMarginBps).toFixed(1).replace(/\.0$/, '')}×`;
