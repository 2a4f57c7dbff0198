/**
 * Warning that an operator reads before putting a certificate on hold. Programs that ask the authority each time see
 * the release of a hold; programs that store what they once read do not.
 */
export const holdNotice = {
  es: 'FirmaEC guarda cada certificado que una vez leyó como revocado y no lo borra. Un certificado suspendido que se vuelve a habilitar sigue revocado allí: su titular ya no firma con FirmaEC. Suspéndalo solo si, en lugar de habilitarlo, podría revocarlo y emitir otro.',
  en: 'FirmaEC keeps every certificate that it once read as revoked, and deletes none. A certificate whose hold is released stays revoked there: its subscriber signs with FirmaEC no more. Put one on hold only where, instead of a release, you could revoke it and issue another.',
} as const;
