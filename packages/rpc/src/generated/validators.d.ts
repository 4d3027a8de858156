/** Made by scripts/generateValidators.mjs after compilation: one ajv function for the parameters of each method. */
interface GeneratedValidator {
  (params: unknown): boolean;
  readonly errors?: readonly { readonly instancePath: string; readonly keyword: string; readonly message?: string; readonly params: Readonly<Record<string, unknown>> }[] | null;
}
export declare const validators: Readonly<Record<string, GeneratedValidator>>;
/** keccak256 of the schemas that the validators were made from. */
export declare const schemasDigest: string;
