/** Extracts browser name and version from a user agent; the whole text if unknown. */
export function formatBrowser(userAgent: string): string {
  const found = /(Edg|OPR|Firefox|HeadlessChrome|Chrome|Version)\/(\d+)/.exec(userAgent);
  if (found === null) return userAgent;
  const [, name = '', version = ''] = found;
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari' };
  return `${names[name] ?? name} ${version}`;
}
