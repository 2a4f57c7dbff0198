export const startPath = '/auth/oidc/start';
export const callbackPath = '/auth/oidc/callback';
