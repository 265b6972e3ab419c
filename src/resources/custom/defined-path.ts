/** The paths that `defineResource` accepts: names and placeholders, such as `/v2/offramps/{offrampId}/quote/accept`. */
export const definedPath = /^(?:\/(?:[\w.~-]+|\{\w+\}))+\/?$/;
