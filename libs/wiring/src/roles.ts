/** What a caller may be. A pack maps the bodies of its law to these. */
export const ROLES: readonly string[] = ['admin', 'auditor', 'board', 'clerk', 'holder', 'officer', 'reader'];
