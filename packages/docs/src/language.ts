export type Language = 'en' | 'es';

export const languages: readonly Language[] = ['en', 'es'];
