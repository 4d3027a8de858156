/** Whether the text is the http or https address of a site, which anybody may be shown: without a user, a query and a fragment. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || /[?#]/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
