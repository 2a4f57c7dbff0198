const name = '__Host-rubrica-oidc';
/** Equals the time for which intake accepts its content. */
const lifeSeconds = 10 * 60;
/** Lax instead of Strict: the provider, another site, redirects the browser back. `__Host-` binds it to this host. */
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** Compact JWE. */
const jwePattern = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*){4}$/;
const maxLength = 4_096;

export function formatFlowCookie(sealedFlow: string): string {
  return `${name}=${sealedFlow}; Max-Age=${lifeSeconds}; ${attributes}`;
}

export const expiredFlowCookie = `${name}=; Max-Age=0; ${attributes}`;

/**
 * Reads the cookie.
 * @returns undefined where it is missing or malformed
 */
export function readFlowCookie(header: string | undefined): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value = ''] = values;
  return values.length === 1 && value.length <= maxLength && jwePattern.test(value) ? value : undefined;
}
