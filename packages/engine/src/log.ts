/** Structured log lines; implemented by telemetry's logger, silent in the simulator. */
export interface EngineLog {
  debug(message: string, fields: Readonly<Record<string, unknown>>): void;
  info(message: string, fields: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}
