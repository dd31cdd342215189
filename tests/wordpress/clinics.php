<?php
// Must-use plugin of the test site: clinics as a post type of the REST API, with their fields as registered meta.
add_action('init', function () {
    register_post_type('clinic', [
        'public' => true,
        'show_in_rest' => true,
        'rest_base' => 'providers',
        'supports' => ['title', 'thumbnail', 'custom-fields'],
    ]);
    $texts = ['practice_name', 'address', 'zip_code', 'phone', 'email', 'website', 'latitude', 'longitude'];
    foreach ($texts as $name) {
        register_post_meta('clinic', $name, ['type' => 'string', 'single' => true, 'show_in_rest' => true]);
    }
    foreach (['accepts_free_consultation', 'accepts_financing'] as $name) {
        register_post_meta('clinic', $name, ['type' => 'boolean', 'single' => true, 'show_in_rest' => true]);
    }
});
