/** The address of the map tiles on this site, for Leaflet. The API loads them from `MAP_TILE_URL`, without the visitor. */
export const MAP_TILES_URL = '/tiles/{z}/{x}/{y}'
