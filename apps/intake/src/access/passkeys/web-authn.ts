/** Loaded with the first passkey: copies that see none need not keep it in memory. */
export const webAuthn = () => import('@simplewebauthn/server');
