// The pages for lectures: name -> {title, load, hidden}.
export const views = {};
