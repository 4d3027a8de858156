/** `mm:ss.t` since the beginning. */
export function clockTime(ms: number): string {
  const tenths = Math.floor(ms / 100);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  return `${String(minutes).padStart(2, '0')}:${(rest / 10).toFixed(1).padStart(4, '0')}`;
}
