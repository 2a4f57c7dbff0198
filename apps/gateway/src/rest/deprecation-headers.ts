import type { Deprecation } from '@rubrica/contracts/rest/operation';

/** Builds the headers of a deprecated operation (RFC 9745 and RFC 8594); none for any other. */
export function buildDeprecationHeaders(
  deprecated: Deprecation | undefined,
): Readonly<Record<string, string>> {
  if (deprecated === undefined) return {};
  const { since, sunset, link } = deprecated;
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${link}>; rel="deprecation"; type="text/html"`,
  };
}
