/** Made by scripts/generatePage.mjs after compilation: the report page's own script, one function, and its style. */
export declare const pageScript: string;
export declare const pageStyle: string;
