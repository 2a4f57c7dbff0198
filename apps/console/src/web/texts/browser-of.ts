/** The part of a user agent that people know; the whole of it where there is none. */
export function browserOf(userAgent: string): string {
  const found = /(Edg|OPR|Firefox|HeadlessChrome|Chrome|Version)\/(\d+)/.exec(userAgent);
  if (found === null) return userAgent;
  const [, name = '', version = ''] = found;
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari' };
  return `${names[name] ?? name} ${version}`;
}
