import { z } from 'zod';

/** What a partner's logo may be; applicants' browsers show it, so nothing that could hold a script. */
export const logoTypeSchema = z.enum(['image/png', 'image/jpeg', 'image/webp']);
export type LogoType = z.infer<typeof logoTypeSchema>;

/** Bytes and pixels, at most. */
export const logoLimits = { bytes: 48 * 1024, width: 800, height: 400 } as const;

/** The picture itself. */
export const logoPicture = z.object({ type: logoTypeSchema, base64: z.string() });
export type LogoPicture = z.infer<typeof logoPicture>;
