import { defineTexts } from './define-texts.ts';

/** Refusals of changes to a partner: its tokens, keys, secret and logo. */
export const partnerTexts = defineTexts({
  'partner.notFound': { en: 'There is no such partner', es: 'No existe ese tercero' },
  'partner.tokenNotFound': { en: 'There is no such token', es: 'No existe ese token' },
  'partner.keyNotFound': { en: 'The partner has no such key', es: 'El tercero no tiene esa clave' },
  'partner.keyKnown': { en: 'The partner has this key already', es: 'El tercero ya tiene esta clave' },
  'partner.keysTooMany': {
    en: 'The partner has {count} keys already; remove one first',
    es: 'El tercero ya tiene {count} claves; elimine una primero',
  },
  'partner.keyNeeded': {
    en: 'The partner has no key: add one before its secret is switched off',
    es: 'El tercero no tiene ninguna clave: agregue una antes de desactivar su secreto',
  },
  'partner.logoTooLarge': { en: 'The logo is larger than 48 KiB', es: 'El logotipo supera los 48 KiB' },
  'partner.logoType': {
    en: 'The logo is no PNG, JPEG or WebP picture',
    es: 'El logotipo no es una imagen PNG, JPEG o WebP',
  },
  'partner.logoUnreadable': { en: 'The logo cannot be read', es: 'El logotipo no se puede leer' },
  'partner.logoPixels': {
    en: 'The logo has {size} pixels; at most 800 x 400 are taken',
    es: 'El logotipo tiene {size} píxeles; se aceptan como máximo 800 x 400',
  },
});
