import { z } from 'zod';

/** Media types of a partner's logo. Applicants' browsers show it, so no type that could contain a script. */
export const logoTypeSchema = z.enum(['image/png', 'image/jpeg', 'image/webp']);
export type LogoType = z.infer<typeof logoTypeSchema>;

/** Maximum size of a logo, in bytes and pixels. */
export const logoLimits = { bytes: 48 * 1024, width: 800, height: 400 } as const;

/** Picture of a logo. */
export const logoPicture = z.object({ type: logoTypeSchema, base64: z.string() });
export type LogoPicture = z.infer<typeof logoPicture>;
