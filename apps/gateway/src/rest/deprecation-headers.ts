import type { Deprecation } from '@rubrica/contracts/rest/operation';

/** What answers of an operation say that will end: RFC 9745 and RFC 8594, nothing of one that stays. */
export function deprecationHeaders(deprecated: Deprecation | undefined): Readonly<Record<string, string>> {
  if (deprecated === undefined) return {};
  const { since, sunset, link } = deprecated;
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${link}>; rel="deprecation"; type="text/html"`,
  };
}
