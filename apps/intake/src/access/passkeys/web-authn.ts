/** Loads the library with the first passkey: copies that see none do not keep it in memory. */
export const loadWebAuthn = () => import('@simplewebauthn/server');
