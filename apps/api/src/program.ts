import type { Program } from '@headworks/wiring';

/** What controllers are handed: the program put together. */
export const PROGRAM = Symbol('program');
export type { Program };
