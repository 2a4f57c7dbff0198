const name = '__Host-rubrica-oidc';
/** As long as intake takes what is in it. */
const lifeSeconds = 10 * 60;
/** Lax, and not Strict: the provider, which is another site, leads the browser back. `__Host-`: of this host alone. */
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** A compact JWE. */
const shape = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*){4}$/;
const longest = 4_096;

export function flowCookie(sealedFlow: string): string {
  return `${name}=${sealedFlow}; Max-Age=${lifeSeconds}; ${attributes}`;
}

export const endedFlowCookie = `${name}=; Max-Age=0; ${attributes}`;

/** @returns undefined where the browser has brought none, or something else */
export function readFlowCookie(header: string | undefined): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value = ''] = values;
  return values.length === 1 && value.length <= longest && shape.test(value) ? value : undefined;
}
